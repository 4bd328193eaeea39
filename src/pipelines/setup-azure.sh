# @if single
# One reviewer cannot approve their own runs. Name two: repeat --reviewer, or name a team.

# @end
# 1. Push the pipeline, and create it.
git add "azure-pipelines*" && git commit --message "Add the pipeline of the portals" && git push origin HEAD:__BRANCH__
az pipelines create --name portal --yml-path azure-pipelines.yml --branch __BRANCH__ --skip-first-run true

# 2. Define what guards a group of variables. Run this in the same shell as the steps that follow.
origin="[?contains([remoteUrl, sshUrl, webUrl], '$(git remote get-url origin)')]"
project=$(az repos list --query "$origin.project.name" --output tsv)
repository=$(az repos list --query "$origin.id" --output tsv)
: "${repository:?is empty. Set origin to the address that Azure shows under Clone, and repeat this step: git remote set-url origin ADDRESS}"
check() { # The group's number, the type of the check, and its settings. An approval waits 43200 minutes: 30 days.
  echo "{\"resource\":{\"type\":\"variablegroup\",\"id\":\"$1\"},\"type\":$2,\"settings\":$3,\"timeout\":43200}" > check.json
  az devops invoke --area PipelinesChecks --resource configurations --route-parameters project="${project:?is empty: see step 2}" \
    --http-method POST --api-version 7.1-preview --in-file check.json
}
# @if oidc
# Put your account and the name of your role for ACCOUNT and ROLE, and the id of the service connection for ID.
# @end
# The group's name, and the names of its secrets, which are asked for. What is not secret says which hosts may receive
# credentials: here a person who queues a run cannot change it. The ids are those of the types of checks, alike
# everywhere. ensureProtectionOfBranch: allow __BRANCH__ only while it has a branch policy.
group() {
  id=$(az pipelines variable-group create --name "$1" --authorize false --query id --variables LINTEL_ALLOWED_HOSTS=__HOSTS____ROLE__)
  shift
  check "$id" '{"id":"fe1de3ee-a436-41b4-bb20-f6eb4cb879a7","name":"Task Check"}' '{"displayName":"Branch control",
    "definitionRef":{"id":"86b05a0c-73e6-4f7d-b3cf-e38f3b39a75b","name":"evaluatebranchProtection","version":"0.0.1"},
    "inputs":{"allowedBranches":"refs/heads/__BRANCH__","ensureProtectionOfBranch":"true"}}'
  check "$id" '{"id":"2ef31ad6-baa0-403a-8b45-2cbc9b4e5563","name":"ExclusiveLock"}' '{}'
  for name in "$@"; do az pipelines variable-group variable create --group-id "$id" --name "$name" --secret true; done
}

# 3. Store the secrets in a group that only __BRANCH__ can use, and that needs the approval of: __REVIEWERS__.
#    Where states are signed, also LINTEL_STATE_KEY. STATE_TOKEN is a personal access token (Code: Read & write) that pushes
#    the branch of the states.
group portal __SECRETS__
check "$id" '{"id":"8c6f20a7-a545-4486-9777-f762fafe0d4d","name":"Approval"}' \
  "{\"approvers\":[__REVIEWER_IDS__],\"minRequiredApprovers\":1,\"requesterCannotBeApprover\":true}"
# @if clock

# 4. The same for the clock, which needs no approval. LINTEL_REPORT_TOKEN is a personal access token that writes comments and work
#    items (Build: Read, Code: Read, Pull Request Threads: Read & write, Work Items: Read & write).
group portal-unattended __SECRETS__
group portal-report LINTEL_REPORT_TOKEN
# @end

# __FIRST__. Let a person who queues a run set no variable, and limit what the token of a run reaches.
echo '{"enforceSettableVar":true,"enforceJobAuthScope":true,"enforceReferencedRepoScopedToken":true}' > settings.json
az devops invoke --area build --resource generalsettings --route-parameters project="${project:?is empty: see step 2}" \
  --http-method PATCH --api-version 7.1-preview --in-file settings.json

# __SECOND__. Require a green run, and the vote of another person than the author, before a merge.
az repos policy approver-count create --branch __BRANCH__ --repository-id "${repository:?is empty: see step 2}" --blocking true --enabled true \
  --minimum-approver-count 1 --creator-vote-counts false --allow-downvotes false --reset-on-source-push true
az repos policy build create --branch __BRANCH__ --repository-id "${repository:?is empty: see step 2}" --blocking true --enabled true \
  --display-name propose --valid-duration 0 --manual-queue-only false --queue-on-source-update-only true \
  --build-definition-id "$(az pipelines show --name portal --query id)"

# __THIRD__. By hand: Project settings > Repositories > Security: let the build service read, and nothing else.

# Then check the settings. TOKEN is a personal access token (Build, Code, Variable Groups: Read).
AZURE_DEVOPS_EXT_PAT=TOKEN lintel doctor --ci
