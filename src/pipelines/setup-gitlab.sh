# Paste into bash. Each step can be pasted again: it replaces what it made before. Branches and environments that are protected,
# and approval rules, stay as they are.
# @if single
# One reviewer cannot approve their own runs. Name a group instead: --reviewer GROUP/TEAM.

# @end
# @if several
# Each of these reviewers has to approve, and none of them may be the person who started the run. So none
# of them may merge a change. Name one group instead: --reviewer GROUP/TEAM.

# @end
# Whether access is for no one (0), or for Maintainers (40) and above, and for no person, group or key by name.
roles='all(.[]; (.access_level == 0 or .access_level >= 40) and .user_id == null and .group_id == null and .deploy_key_id == null)'
stop() { echo "$1" >&2; return 1; }
# @reviewers
protect() { # A branch, and who can push and merge: 0 is no one, 40 a Maintainer.
  at="projects/:id/protected_branches/$(jq -nr '$ARGS.positional[0] | @uri' --args "$1")"
  levels="[.push_access_levels[].access_level] == [$2] and [.merge_access_levels[].access_level] == [$3]"
  if glab api "$at" | jq -e ".allow_force_push == false and $levels and (.push_access_levels + .merge_access_levels | $roles)"; then return; fi
  # Between these commands people can push. If the second one fails, repeat it until it succeeds.
  glab api --method DELETE "$at" || true # It may not be protected yet.
  glab api --method POST "projects/:id/protected_branches" --field name="$1" --field push_access_level="$2" \
    --field merge_access_level="$3" --field allow_force_push=false
}

# 1. Push the pipeline and the files of the portals, without a run. If the push is refused, merge them by a merge request, and
#    pull.
( set -e # The first command that fails ends the step.
# @if pushed
# Jobs push the states as the person who started them, who is a Maintainer. No other role may.
for branch in __STATE_BRANCHES__; do protect "$branch" 40 0; done
# @end
git add .gitlab-ci.yml __FILES__
git diff --cached --quiet || git commit --message "Add the pipeline of the portals"
); step1=$?
git push --push-option ci.skip origin HEAD:__BRANCH__ && git remote set-head origin __BRANCH__

# 2. Let only green merge requests into the branch __BRANCH__, which one of __REVIEWERS__ approved (approvals need GitLab
#    Premium), and no push. Forbid variables that a person enters when starting a pipeline: they would override the file's (one setting is
#    the switch, the other says for whom). Forbid approvals by the person who started the job.
( set -e
protect __BRANCH__ 0 40
# ci_config_path: all pipelines take the file of the branch __BRANCH__. So no other branch brings a job, which would have the
# token, and with it the rights, of a Maintainer who starts or repeats it.
# public_jobs: only members of the project see the logs of jobs, which show plans.
project=$(glab api "projects/:id" | jq -r .path_with_namespace)
branch=__BRANCH__
glab api --method PUT "projects/:id" --field ci_config_path=".gitlab-ci.yml@$project:refs/heads/$branch" --field public_jobs=false \
  --field only_allow_merge_if_pipeline_succeeds=true --field allow_pipeline_trigger_approve_deployment=false \
  --field restrict_user_defined_variables=true --field ci_pipeline_variables_minimum_override_role=no_one_allowed__PUSHES__
# Committers can approve: a commit may name anyone as its committer, and GitLab takes a rule as fulfilled if none of its approvers
# is left.
glab api --method POST "projects/:id/approvals" --field merge_requests_author_approval=false \
  --field merge_requests_disable_committers_approval=false --field reset_approvals_on_push=true \
  --field disable_overriding_approvers_per_merge_request=true
glab api "projects/:id/approval_rules" | jq -e 'any(.rule_type == "any_approver" and .approvals_required > 0)' ||
  glab api --method POST "projects/:id/approval_rules" --field name=portal --field rule_type=any_approver \
    --field approvals_required=1
# One of the reviewers, too. If they are no members of the project, this step fails: add them, and delete the rule.
glab api "projects/:id/approval_rules" | jq -e 'any(.name == "portal-reviewers" and (.eligible_approvers | length > 0))' ||
  glab api --method POST "projects/:id/approval_rules" --header "Content-Type: application/json" --input - <<JSON |
{ "name": "portal-reviewers", "approvals_required": 1, "user_ids": [__USER_IDS__], "group_ids": [__GROUP_IDS__] }
JSON
    jq -e ".eligible_approvers | length > 0"
# Other rules that fit a branch count, too: the most permissive one does. So no rule may let others push or merge.
glab api "projects/:id/protected_branches?per_page=100" | jq -e "all(.[]; .push_access_levels + .merge_access_levels | $roles)" ||
  stop "A rule lets others than Maintainers push or merge. Remove it: Settings > Repository > Protected branches."
); step2=$?

# 3. Let only Maintainers run a job that holds the secrets, and __REVIEWERS__ approve the jobs of the environment portal: each
#    person who is named, or one member of a group. This needs GitLab Premium: without it, stop here, and read "lintel help pipelines".
( set -e
glab api "projects/:id/protected_environments/portal" |
  jq -e "(.deploy_access_levels | $roles) and (.approval_rules | length > 0)" ||
  glab api --method POST "projects/:id/protected_environments" --header "Content-Type: application/json" --input - <<JSON
{ "name": "portal", "deploy_access_levels": [{ "access_level": 40 }], "approval_rules": [__REVIEWER_IDS__] }
JSON
# @if clock
# The scheduled jobs, and the plan after a merge, need no approval: they have environments of their own.
for name in portal-unattended portal-report; do
  glab api "projects/:id/protected_environments/$name" | jq -e "(.deploy_access_levels | $roles)" ||
    glab api --method POST "projects/:id/protected_environments" --header "Content-Type: application/json" --input - <<JSON
{ "name": "$name", "deploy_access_levels": [{ "access_level": 40 }] }
JSON
done
# @end
); step3=$?

# 4. Say which hosts may receive credentials.
( set -e
glab variable set LINTEL_ALLOWED_HOSTS __HOSTS__ || glab variable update LINTEL_ALLOWED_HOSTS __HOSTS__
# @if oidc
# Put your account and the name of your role for ACCOUNT and ROLE. The role trusts tokens of GitLab for sts.amazonaws.com with the
# subject project_path:GROUP/PROJECT:ref_type:branch:ref:__BRANCH__
role=arn:aws:iam::ACCOUNT:role/ROLE
case "$role" in *ACCOUNT* | */ROLE) stop "Put your account and the name of your role for ACCOUNT and ROLE." ;; esac
glab variable set AWS_ROLE_ARN "$role" || glab variable update AWS_ROLE_ARN "$role"
# @end
); step4=$?

# 5. Only if every command above succeeded: store the secrets, for these environments only. Each one is asked for; --raw keeps
#    a $ in it. GitLab masks only values of 8 characters and more, without spaces. If you repaired a step by hand, note that first,
#    for example: step2=0
store() { # A variable, and the environment whose jobs get it.
  masked=()
  if [[ ${#value} -ge 8 && $value != *[[:space:]]* ]]; then masked=(--masked); fi
  printf %s "$value" | glab variable set "$1" "${masked[@]}" --protected --raw --scope "$2" ||
    printf %s "$value" | glab variable update "$1" "${masked[@]}" --protected --raw --scope "$2"
}
succeeded() { [ "$step1$step2$step3$step4" = 0000 ] || stop "Steps 1 to 4 have to succeed first."; }
( set -e
succeeded
# Stop if someone pushed while the branch was open.
git fetch origin refs/heads/__BRANCH__
git diff --quiet HEAD FETCH_HEAD || stop "The branch differs from your checkout. Review it, pull, and repeat this step."
# @if kept
# TF_HTTP_PASSWORD is this token, with any TF_HTTP_USERNAME. It replaces the one that is there.
glab token revoke portal-state || true
glab token create portal-state --access-level maintainer --scope api --duration 365d
# @end
for name in __SECRETS__; do
  printf '%s: ' "$name"; IFS= read -rs value; [ "$value" ] || stop "$name is empty."
  for environment in __ENVIRONMENTS__; do store "$name" "$environment"; done
done
)
# @if clock

# 6. Start the clock. Its jobs run as you, so you have to stay a Maintainer. The token writes notes and issues. It replaces the
#    one that is there.
( set -e
succeeded
glab api "projects/:id/pipeline_schedules" | jq -e 'any(.description == "portal")' ||
  glab schedule create --description portal --ref __BRANCH__ --cron __CRON__ --cronTimeZone UTC
glab token revoke portal-report || true
value=$(glab token create portal-report --access-level reporter --scope api --duration 365d)
store LINTEL_REPORT_TOKEN portal-report
)
# @end

# Then check the settings, and plan for the first time. Paste the first line alone. It reads a token with the role Maintainer
# and the scope read_api, and does not show it.
( read -rs GITLAB_TOKEN; export GITLAB_TOKEN; lintel doctor --ci )
glab ci run --branch __BRANCH__
