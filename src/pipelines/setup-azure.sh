set +H # In bash, to paste lines with an exclamation mark.
# Each step can be pasted again: what is there stays as it is, and secrets are replaced.
# @if single
# One reviewer cannot approve their own runs. Name a team instead: --reviewer PROJECT/TEAM.
# @end
# @if several
# Each of these reviewers has to vote for a change of the pipeline. To let one of them do it, name a team instead:
# --reviewer PROJECT/TEAM.
# @end

# 1. Push the pipeline and the files of the portals. If the push is refused, merge them by a pull request, and pull. Then create
#    the pipeline.
git add "azure-pipelines*" __FILES__
git diff --cached --quiet || git commit --message "Add the pipeline of the portals"
git push origin HEAD:__BRANCH__ && git remote set-head origin __BRANCH__
az pipelines show --name portal --output none || az pipelines create --name portal --yml-path azure-pipelines.yml --branch __BRANCH__ --skip-first-run true

# 2. Look up what the steps that follow use. Run all of them in the same shell.
origin="[?contains([remoteUrl, sshUrl, webUrl], '$(git remote get-url origin)')]"
project=$(az repos list --query "$origin.project.name" --output tsv)
project_id=$(az repos list --query "$origin.project.id" --output tsv)
repository=$(az repos list --query "$origin.id" --output tsv)
: "${repository:?is empty. Set origin to the address that Azure shows under Clone, and repeat this step: git remote set-url origin ADDRESS}"
# The id of the pipeline, if it is in no folder, has this file, and has no variables: these reach every step, such as NODE_OPTIONS.
pipeline_id() {
  plain="process.yamlFilename=='azure-pipelines.yml' && repository.id=='$repository' && to_string(length(path))=='1'"
  az pipelines show --name portal --query "[@] | [?$plain && !variables && !variableGroups].id | [0]" --output tsv
}
pipeline=$(pipeline_id)
: "${pipeline:?is empty. The pipeline \"portal\" is missing, or has a folder, another file or variables: delete it, and repeat step 1}"
# A member could make a group before you, take away its checks later, and read the secrets. So step 5 uses only what you made.
me=$(az devops invoke --area Location --resource connectionData --api-version 7.1-preview --query authenticatedUser.id --output tsv)
address=$(az repos list --query "$origin.project.url" --output tsv)
# The name of the account of a run's token: a service, whose descriptor begins with "svc.". The organization stands before "/_apis/".
# https://learn.microsoft.com/azure/devops/pipelines/process/access-tokens
service="$project Build Service ($(basename "${address%%/_apis/*}"))"
# The ids of the reviewers, which Azure knows by their e-mail address, or as PROJECT/TEAM.
# @reviewers
reviewers="__REVIEWER_IDS__"
stop() { echo "$1" >&2; return 1; }
body=$(mktemp)
# Calls the REST API, for what "az" has no command. Takes an area, a resource, the method, the content, and more parameters
# of the route. 7.1-preview: these parts of the API have no other version. https://learn.microsoft.com/rest/api/azure/devops
send() {
  printf %s "$4" > "${body:?is empty: see step 2}"
  az devops invoke --area "$1" --resource "$2" --http-method "$3" --api-version 7.1-preview --in-file "$body" \
    --route-parameters project="${project:?is empty: see step 2}" "${@:5}"
}
# Adds a check to a resource, if it has none like it. Takes the type and the id of the resource, how to recognize the check, the
# id and the name of its type, which are alike in every organization, and its settings. An approval waits 43200 minutes: 30 days.
# https://learn.microsoft.com/azure/devops/pipelines/process/approvals
check() {
  [ "$(az devops invoke --area PipelinesChecks --resource configurations --api-version 7.1-preview \
    --route-parameters project="$project" --query-parameters resourceType="$1" resourceId="$2" "\$expand=settings" \
    --query "value[?$3].id" --output tsv)" ] ||
    send PipelinesChecks configurations POST "{\"resource\":{\"type\":\"$1\",\"id\":\"$2\"},
      \"type\":{\"id\":\"$4\",\"name\":\"$5\"},\"settings\":$6,\"timeout\":43200}"
}
# Lets only this pipeline use a resource, and only on __BRANCH__. "evaluatebranchProtection" is Azure's task of the check
# "Branch control". ensureProtectionOfBranch: only while the branch has a policy.
protect() {
  is_there="settings.inputs.allowedBranches=='refs/heads/__BRANCH__' && settings.inputs.ensureProtectionOfBranch=='true'"
  check "$1" "$2" "$is_there" fe1de3ee-a436-41b4-bb20-f6eb4cb879a7 "Task Check" '{"displayName":"Branch control",
    "definitionRef":{"id":"86b05a0c-73e6-4f7d-b3cf-e38f3b39a75b","name":"evaluatebranchProtection","version":"0.0.1"},
    "inputs":{"allowedBranches":"refs/heads/__BRANCH__","ensureProtectionOfBranch":"true"}}'
  send pipelinePermissions pipelinePermissions PATCH \
    "{\"allPipelines\":{\"authorized\":false},\"pipelines\":[{\"id\":$pipeline,\"authorized\":true}]}" \
    resourceType="$1" resourceId="$2"
}
# Whether __BRANCH__ of a repository has a policy like this, which is required.
has_policy() {
  [ "$(az repos policy list --branch __BRANCH__ --repository-id "${1:?is empty: see step 2}" \
    --query "[?isEnabled && isBlocking && $2].id" --output tsv)" ]
}
# Requires the votes of others before a merge to __BRANCH__ of a repository: not of the author, not of the person who pushed
# last, and after the last push. "az repos policy approver-count" has no option for the second. The id is that of "Minimum number of reviewers".
# https://learn.microsoft.com/azure/devops/repos/git/branch-policies
require_vote() {
  is_there="to_string(settings.minimumApproverCount)=='__APPROVALS__' && !settings.creatorVoteCounts && settings.blockLastPusherVote && settings.resetOnSourcePush"
  if has_policy "$1" "$is_there"; then return; fi
  printf '{"isEnabled":true,"isBlocking":true,"type":{"id":"fa4e907d-c16b-4a4c-9dfa-4906e5d171dd"},"settings":{
    "minimumApproverCount":__APPROVALS__,"creatorVoteCounts":false,"allowDownvotes":false,"resetOnSourcePush":true,"blockLastPusherVote":true,
    "scope":[{"repositoryId":"%s","refName":"refs/heads/__BRANCH__","matchKind":"Exact"}]}}' "$1" > "$body"
  az repos policy create --config "$body"
}

# 3. If another person made the branch __BRANCH__, remove that person's own rights: Repos > Branches > Branch security. Then
#    require a green run, and the votes of others, before a merge. A change of the pipeline could read the secrets, so it needs the
#    votes of __REVIEWERS__.
# @if clock
#    Two votes, because the jobs of the clock have the secrets without an approval: a reviewer could let the token of a run push
#    to another person's branch, and vote for that alone.
# @end
( set -e # The first command that fails ends the step.
: "${reviewers:?is empty: see step 2}"
require_vote "${repository:?is empty: see step 2}"
has_policy "$repository" "settings.requiredReviewerIds && settings.filenamePatterns[0]=='/azure-pipelines*'" ||
  az repos policy required-reviewer create --branch __BRANCH__ --repository-id "$repository" --blocking true --enabled true \
    --path-filter "/azure-pipelines*" --message "A change of the pipeline could read the secrets of the portals." \
    --required-reviewer-ids "${reviewers// /;}"
# 0 minutes and queue-on-source-update-only: a green run stays valid when __BRANCH__ changes, because the stage "plan" plans again.
has_policy "$repository" "to_string(settings.buildDefinitionId)=='$pipeline'" ||
  az repos policy build create --branch __BRANCH__ --repository-id "$repository" --blocking true --enabled true \
    --display-name propose --valid-duration 0 --manual-queue-only false --queue-on-source-update-only true \
    --build-definition-id "$pipeline"
); step3=$?

# 4. Let Contributors neither start nor edit the pipeline, and no one set variables of a run. Let the token of a run reach only
#    the repositories that its jobs name, and there only read.
( set -e
# These are settings of the project: "Limit variables that can be set at queue time", "Limit job authorization scope to current
# project", "Protect access to repositories in YAML pipelines". No checks and no approvals hold up classic pipelines: "Disable
# creation of classic build pipelines", and of release pipelines.
# https://learn.microsoft.com/rest/api/azure/devops/build/general-settings/update
send build generalsettings PATCH '{"enforceSettableVar":true,"enforceJobAuthScope":true,"enforceReferencedRepoScopedToken":true,
  "disableClassicBuildPipelineCreation":true,"disableClassicReleasePipelineCreation":true}'
# Give others write access through this group only: other groups would keep the rights that are denied here.
contributors=$(az devops security group list --project "$project" --query "graphGroups[?displayName=='Contributors'].descriptor" --output tsv)
account=$(az devops invoke --area IMS --resource identities --query-parameters searchFilter=General "filterValue=$service" \
  --query "value[?starts_with(subjectDescriptor, 'svc.')] | [0].subjectDescriptor" --output tsv)
# A person who queues a run can choose an old commit, which no one reviewed by itself. The namespace is "Build", and 6272 is its
# rights "Queue builds" (128), "Edit build pipeline" (2048) and "Delete build pipeline" (4096). Merges, pull requests and the cron
# start runs without them. https://learn.microsoft.com/azure/devops/organizations/security/namespace-reference
for subject in "${contributors:?is empty: the project has no group Contributors}" "${account:?is empty: no account is called $service}"; do
  az devops security permission update --namespace-id 33344d9c-fc72-4d6f-aba5-fa317101a7e9 --token "$project_id/${pipeline:?is empty: see step 2}" \
    --subject "$subject" --deny-bit 6272
done
[ "$(pipeline_id)" = "$pipeline" ] || stop "A person changed the pipeline meanwhile. Look at its variables, and repeat step 2."
# The namespace is "Git Repositories". Its rights are bits: Read is 2, Contribute 4, Create branch 16. 65532 is every right but
# Read, and 1, which is no longer used. https://learn.microsoft.com/azure/devops/organizations/security/namespace-reference
git_repositories=2e9eb7ed-3c0a-47d4-87c1-0ffdd275fd87
az devops security permission update --namespace-id "$git_repositories" --token "repoV2/$project_id/$repository" \
  --subject "$account" --deny-bit 65532
# @if own
# The states: a repository that runs of this pipeline on __BRANCH__ can push, and no other run. Its default branch stays empty,
# and has a policy: the check "Branch control" looks at it, too.
# https://learn.microsoft.com/azure/devops/pipelines/process/repository-resource
az repos show --repository __REPOSITORY__ --output none || az repos create --name __REPOSITORY__
states=$(az repos show --repository __REPOSITORY__ --query id --output tsv)
states_url=$(az repos show --repository __REPOSITORY__ --query remoteUrl --output tsv)
git ls-remote --exit-code "$states_url" __BRANCH__ ||
  git push "$states_url" "$(git commit-tree -m "Begin the states" "$(git mktree < /dev/null)"):refs/heads/__BRANCH__"
require_vote "$states"
protect repository "$project_id.$states"
az devops security permission update --namespace-id "$git_repositories" --token "repoV2/$project_id/$states" \
  --subject "$account" --allow-bit 20 # Contribute and Create branch.
# No member can push a state. A person who made a branch there before could.
az devops security permission update --namespace-id "$git_repositories" --token "repoV2/$project_id/$states" \
  --subject "$contributors" --deny-bit 20
others=$(az repos ref list --repository __REPOSITORY__ --filter heads/ --output tsv \
  --query "[?name!='refs/heads/__BRANCH__' && creator.id!='${me:?is empty: see step 2}' && creator.descriptor!='$account'].name")
[ -z "$others" ] ||
  stop "Another person made $others in __REPOSITORY__. If you never applied, delete the repository, and repeat this step."
git remote get-url __REPOSITORY__ || git remote add __REPOSITORY__ "$states_url"
# @end
); step4=$?

# 5. Only if every command above succeeded: make the group portal, which needs the approval of one of __REVIEWERS__, and store the
#    secrets there. Each one is asked for.
# @if clock
#    The group portal-unattended, of the clock and the plan, holds them without an approval. LINTEL_REPORT_TOKEN is a personal access token that writes comments
#    and work items (Build: Read, Code: Read, Pull Request Threads: Read & write, Work Items: Read & write). It acts as its owner:
#    use an account that is a member of this project only.
# @end
#    If you repaired a step by hand, note that first, for example: step3=0
# @if oidc
#    Put your account and the name of your role for ACCOUNT and ROLE, and the id of the service connection for ID.
# @end
( set -e
[ "$step3$step4" = 00 ] || stop "Steps 3 and 4 have to succeed first."
# Stop if someone pushed while the branch was open.
git fetch origin refs/heads/__BRANCH__
git diff --quiet HEAD FETCH_HEAD || stop "The branch differs from your checkout. Review it, pull, and repeat this step."
# "az" takes the value of a secret from a variable with this prefix.
for name in __SECRETS____REPORT_TOKEN__; do
  printf '%s: ' "$name"; IFS= read -rs value; [ "$value" ] || stop "$name is empty."
  export "AZURE_DEVOPS_EXT_PIPELINE_VAR_$name=$value"
done
# @if oidc
role=arn:aws:iam::ACCOUNT:role/ROLE connection=ID
case "$role" in *ACCOUNT* | */ROLE) stop "Put your account and the name of your role for ACCOUNT and ROLE." ;; esac
# @end
approvers=$(printf ',{"id":"%s"}' ${reviewers:?is empty: see step 2})
for group in __ENVIRONMENTS____REPORTING__; do
  # If another person made the group, "create" fails. Then delete it, and repeat this step.
  id=$(az pipelines variable-group list --group-name "$group" --query "[?createdBy.id=='${me:?is empty: see step 2}'].id | [0]" --output tsv)
  # The group also names the hosts that may receive the secrets.
  [ "$id" ] || id=$(az pipelines variable-group create --name "$group" --authorize false --query id --output tsv \
    --variables LINTEL_ALLOWED_HOSTS=__HOSTS____ROLE__)
  protect variablegroup "$id"
  check variablegroup "$id" "type.name=='ExclusiveLock'" 2ef31ad6-baa0-403a-8b45-2cbc9b4e5563 ExclusiveLock '{}' # One run at a time.
  [ "$group" != portal ] || check variablegroup "$id" settings.requesterCannotBeApprover \
    8c6f20a7-a545-4486-9777-f762fafe0d4d Approval "{\"approvers\":[${approvers#,}],\"minRequiredApprovers\":1,\"requesterCannotBeApprover\":true}"
  names="__SECRETS__"
# @if clock
  [ "$group" != portal-report ] || names=LINTEL_REPORT_TOKEN
# @end
  for name in $names; do
    az pipelines variable-group variable create --group-id "$id" --name "$name" --secret true ||
      az pipelines variable-group variable update --group-id "$id" --name "$name" --secret true --prompt-value true
  done
done
)

# Then check the settings, and plan for the first time. Paste the first line alone. It reads a personal access token
# (Build, Code, Variable Groups: Read), and does not show it.
( read -rs AZURE_DEVOPS_EXT_PAT; export AZURE_DEVOPS_EXT_PAT; lintel doctor --ci )
# A Contributor cannot start it, even as an administrator: merge a change of the files instead.
az pipelines run --name portal --branch __BRANCH__
