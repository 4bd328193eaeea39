# @if single
# One reviewer cannot approve their own runs. Name two: repeat --reviewer, or name a team.

# @end
# 1. Push the pipeline and the files of the portals, or merge them by a pull request. Then create it.
git add "azure-pipelines*" __FILES__ && git commit --message "Add the pipeline of the portals" && git push origin HEAD:__BRANCH__
az pipelines create --name portal --yml-path azure-pipelines.yml --branch __BRANCH__ --skip-first-run true

# 2. Look up what the steps that follow use. Run all of them in the same shell.
origin="[?contains([remoteUrl, sshUrl, webUrl], '$(git remote get-url origin)')]"
project=$(az repos list --query "$origin.project.name" --output tsv)
project_id=$(az repos list --query "$origin.project.id" --output tsv)
repository=$(az repos list --query "$origin.id" --output tsv)
: "${repository:?is empty. Set origin to the address that Azure shows under Clone, and repeat this step: git remote set-url origin ADDRESS}"
pipeline=$(az pipelines show --name portal --query id --output tsv)
address=$(az repos list --query "$origin.project.url" --output tsv)
service="$project Build Service ($(basename "${address%%/_apis/*}"))" # The organization stands before "/_apis/".
body=$(mktemp)
send() { # An area and a resource of the REST API, the method, the content, and more parameters of the route.
  printf %s "$4" > "${body:?is empty: see step 2}"
  az devops invoke --area "$1" --resource "$2" --http-method "$3" --api-version 7.1-preview --in-file "$body" \
    --route-parameters project="${project:?is empty: see step 2}" "${@:5}"
}

# 3. Require a green run, and the vote of another person than the author, before a merge.
( set -e # The first command that fails ends the step.
az repos policy approver-count create --branch __BRANCH__ --repository-id "${repository:?is empty: see step 2}" --blocking true --enabled true \
  --minimum-approver-count 1 --creator-vote-counts false --allow-downvotes false --reset-on-source-push true
az repos policy build create --branch __BRANCH__ --repository-id "${repository:?is empty: see step 2}" --blocking true --enabled true \
  --display-name propose --valid-duration 0 --manual-queue-only false --queue-on-source-update-only true \
  --build-definition-id "$pipeline"
); step3=$?

# 4. Let a person who queues a run set no variable. Let the token of a run reach this repository only, and there read only.
( set -e
send build generalsettings PATCH '{"enforceSettableVar":true,"enforceJobAuthScope":true,"enforceReferencedRepoScopedToken":true}'
# The account of the token. The namespace is that of Git repositories. 65532 is every right but Read (2) and the unused 1.
account=$(az devops invoke --area IMS --resource identities --query-parameters searchFilter=General "filterValue=$service" \
  --query "value[0].subjectDescriptor" --output tsv)
allow() { # What follows the repository in the name of what is protected, and the rights.
  az devops security permission update --namespace-id 2e9eb7ed-3c0a-47d4-87c1-0ffdd275fd87 \
    --subject "${account:?is empty: no account is called $service}" --token "repoV2/$project_id/$repository$1" "${@:2}"
}
allow "" --deny-bit 65532
# @if pushed
# Azure names a branch by the hexadecimal codes of its letters: this one is __STATES__. It counts more than the line above.
# 20 is Contribute and Create branch.
for branch in __STATE_BRANCHES__; do allow "/refs/heads/$branch" --allow-bit 20; done
# @end
); step4=$?

# 5. Only if every command above succeeded: make the group portal, which only this pipeline can use, on __BRANCH__, after the
#    approval of: __REVIEWERS__. Last, store the secrets there. Each one is asked for.
#    If you repaired a step by hand, note that first, for example: step3=0
# @if pushed
#    The run of any pull request can push __STATES__. So sign the states: LINTEL_STATE_KEY takes what this prints:
#    openssl rand -base64 32
# @end
# @if !pushed
#    Where states are signed, also LINTEL_STATE_KEY.
# @end
# @if oidc
# Put your account and the name of your role for ACCOUNT and ROLE, and the id of the service connection for ID.
# @end
check() { # The type of the check, and its settings. An approval waits 43200 minutes: 30 days. The ids of types are alike everywhere.
  send PipelinesChecks configurations POST \
    "{\"resource\":{\"type\":\"variablegroup\",\"id\":\"$id\"},\"type\":$1,\"settings\":$2,\"timeout\":43200}"
}
# The group's name. Who queues a run cannot change its hosts. ensureProtectionOfBranch: only while the branch has a policy.
group() {
  id=$(az pipelines variable-group create --name "$1" --authorize false --query id --variables LINTEL_ALLOWED_HOSTS=__HOSTS____ROLE__)
  check '{"id":"fe1de3ee-a436-41b4-bb20-f6eb4cb879a7","name":"Task Check"}' '{"displayName":"Branch control",
    "definitionRef":{"id":"86b05a0c-73e6-4f7d-b3cf-e38f3b39a75b","name":"evaluatebranchProtection","version":"0.0.1"},
    "inputs":{"allowedBranches":"refs/heads/__BRANCH__","ensureProtectionOfBranch":"true"}}'
  check '{"id":"2ef31ad6-baa0-403a-8b45-2cbc9b4e5563","name":"ExclusiveLock"}' '{}'
  send pipelinePermissions pipelinePermissions PATCH "{\"pipelines\":[{\"id\":$pipeline,\"authorized\":true}]}" \
    resourceType=variablegroup resourceId="$id"
}
secrets() { for name in "$@"; do az pipelines variable-group variable create --group-id "$id" --name "$name" --secret true; done; }
succeeded() { [ "$step3$step4" = 00 ] || { echo "Steps 3 and 4 have to succeed first." >&2; return 1; }; }
( set -e
succeeded
group portal
check '{"id":"8c6f20a7-a545-4486-9777-f762fafe0d4d","name":"Approval"}' \
  "{\"approvers\":[__REVIEWER_IDS__],\"minRequiredApprovers\":1,\"requesterCannotBeApprover\":true}"
secrets __SECRETS____STATE_KEY__
)
# @if clock

# 6. The same for the clock, which needs no approval. LINTEL_REPORT_TOKEN is a personal access token that writes comments and work
#    items (Build: Read, Code: Read, Pull Request Threads: Read & write, Work Items: Read & write).
( set -e
succeeded
group portal-unattended
secrets __SECRETS____STATE_KEY__
group portal-report
secrets LINTEL_REPORT_TOKEN
)
# @end

# Then check the settings, and plan for the first time. Paste the first line alone. It reads a personal access token
# (Build, Code, Variable Groups: Read), and does not show it.
read -rs AZURE_DEVOPS_EXT_PAT; export AZURE_DEVOPS_EXT_PAT; lintel doctor --ci; unset AZURE_DEVOPS_EXT_PAT
az pipelines run --name portal --branch __BRANCH__
