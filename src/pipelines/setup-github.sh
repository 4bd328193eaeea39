# Paste into bash. Each step can be pasted again: it replaces what it made before.
# @if single
# One reviewer cannot approve their own runs. Name two: repeat --reviewer, or name a team.

# @end
stop() { echo "$1" >&2; return 1; }
# @reviewers
ruleset() { # Creates the ruleset with this name, or replaces it.
  id=$(gh api "repos/{owner}/{repo}/rulesets?includes_parents=false" --jq ".[] | select(.name == \"$1\") | .id")
  gh api --method "$([ "$id" ] && echo PUT || echo POST)" "repos/{owner}/{repo}/rulesets${id:+/$id}" --input -
}

# 1. Push the pipeline and the files of the portals, without a run. If the push is refused, merge them by a pull request
#    (without "[skip ci]" in its messages, which would leave out the check), and pull.
#    CODEOWNERS names who reviews each change of the pipeline. GitHub reads one such file (if yours is elsewhere, move it
#    first), and takes its last line that fits.
( set -e # The first command that fails ends the step.
# @if pushed
# The states: only deploy keys and administrators (the role 5) push these branches. Step 5 gives a deploy key to the jobs.
for branch in __STATE_BRANCHES__; do
  ruleset "$branch" <<JSON
{ "name": "$branch", "target": "branch", "enforcement": "active",
  "conditions": { "ref_name": { "include": ["refs/heads/$branch"], "exclude": [] } },
  "rules": [{ "type": "creation" }, { "type": "update" }, { "type": "deletion" }, { "type": "non_fast_forward" }],
  "bypass_actors": [{ "actor_type": "DeployKey", "bypass_mode": "always" },
    { "actor_type": "RepositoryRole", "actor_id": 5, "bypass_mode": "always" }] }
JSON
done
# @end
[ "$(tail -n 1 .github/CODEOWNERS 2> /dev/null)" = "/.github/ __OWNERS__" ] || printf '\n/.github/ __OWNERS__\n' >> .github/CODEOWNERS
git add .github __FILES__
git diff --cached --quiet || git commit --message "Add the pipeline of the portals [skip ci]"
); step1=$?
git push origin HEAD:__BRANCH__ && git remote set-head origin __BRANCH__

# 2. Require reviews, and the check "propose", before a merge. A change of the pipeline could read the secrets, so it needs the
#    review of an owner. 15368 is GitHub Actions on github.com. On an Enterprise Server, put what this prints:
#    gh api apps/github-actions --jq .id
( set -e
# Workflows approve nothing: that of a branch could approve its own pull request.
gh api --method PUT "repos/{owner}/{repo}/actions/permissions/workflow" --field default_workflow_permissions=read \
  --field can_approve_pull_request_reviews=false
# @if clock
# Two approvals, because the jobs of the clock have the secrets without one: a reviewer could let the token of a workflow push
# to another person's pull request, and approve that alone.
# @end
# "strict…": false does not ask for the newest version of the branch, because it is planned again after the merge.
ruleset portal <<JSON
{ "name": "portal", "target": "branch", "enforcement": "active",
  "conditions": { "ref_name": { "include": ["~DEFAULT_BRANCH"], "exclude": [] } },
  "rules": [
    { "type": "deletion" }, { "type": "non_fast_forward" },
    { "type": "pull_request", "parameters": { "required_approving_review_count": __APPROVALS__, "dismiss_stale_reviews_on_push": true,
      "require_code_owner_review": true, "require_last_push_approval": true, "required_review_thread_resolution": false } },
    { "type": "required_status_checks", "parameters": { "strict_required_status_checks_policy": false,
      "required_status_checks": [{ "context": "propose", "integration_id": 15368 }] } }] }
JSON
# GitHub ignores an owner who cannot write to the repository, and says so here.
errors=$(gh api "repos/{owner}/{repo}/codeowners/errors" --jq ".errors[].message")
[ -z "$errors" ] || stop "$errors"
); step2=$?

# 3. Let one of __REVIEWERS__ approve each job of the environment portal, on the branch __BRANCH__ only. No administrator can skip
#    that. This needs a public repository, or GitHub Enterprise.
( set -e
gh api --method PUT "repos/{owner}/{repo}/environments/portal" --input - <<JSON
{ "prevent_self_review": true, "can_admins_bypass": false, "reviewers": [__REVIEWER_IDS__],
  "deployment_branch_policy": { "protected_branches": false, "custom_branch_policies": true } }
JSON
# @if clock
# The scheduled jobs, and the plan after a merge, need no approval: they have an environment of their own.
gh api --method PUT "repos/{owner}/{repo}/environments/portal-unattended" --input - <<JSON
{ "deployment_branch_policy": { "protected_branches": false, "custom_branch_policies": true } }
JSON
# @end
for environment in __ENVIRONMENTS__; do # Each for the branch __BRANCH__, and for no other branch or tag that it was for.
  policies="repos/{owner}/{repo}/environments/$environment/deployment-branch-policies"
  gh api "$policies" --jq ".branch_policies[].id" | while read -r id; do gh api --method DELETE "$policies/$id"; done
  gh api --method POST "$policies" --field name=__BRANCH__
done
); step3=$?

# 4. Say which hosts may receive credentials.
# @if oidc
#    Put your account and the name of your role for ACCOUNT and ROLE. The role trusts GitHub's tokens for sts.amazonaws.com with
#    the subject repo:OWNER/REPOSITORY:environment:NAME, for each environment of this step. In newer repositories, GitHub adds ids:
#    https://docs.github.com/actions/concepts/security/openid-connect
# @end
( set -e
# @if oidc
role=arn:aws:iam::ACCOUNT:role/ROLE
case "$role" in *ACCOUNT* | */ROLE) stop "Put your account and the name of your role for ACCOUNT and ROLE." ;; esac
# @end
for environment in __ENVIRONMENTS__; do
  gh variable set LINTEL_ALLOWED_HOSTS --env "$environment" --body __HOSTS__
# @if oidc
  gh variable set AWS_ROLE_ARN --env "$environment" --body "$role"
# @end
done
); step4=$?

# 5. Only if every command above succeeded: store the secrets, in these environments only. Each one is asked for. If you
#    repaired a step by hand, note that first, for example: step2=0
#    If others could push to __BRANCH__ before step 2: read all workflows in .github, and delete the runs on __BRANCH__ of the
#    last 30 days ("gh run delete"). A member can repeat such a run, and it would have the secrets.
# @if pushed
#    If others could push __STATES__ before step 1, look at "lintel history", or delete the branch if you never applied.
# @end
( set -e
[ "$step1$step2$step3$step4" = 0000 ] || stop "Steps 1 to 4 have to succeed first."
# Stop if someone pushed while the branch was open.
git fetch origin refs/heads/__BRANCH__
git diff --quiet HEAD FETCH_HEAD || stop "The branch differs from your checkout. Review it, pull, and repeat this step."
# @if pushed
# The key that pushes the states: no other job has it, so none can push an older state. If one environment lacks it, all get a
# new one.
has_key() { [ "$(gh secret list --env "$1" --json name --jq '.[] | select(.name == "LINTEL_DEPLOY_KEY")')" ]; }
others=$(gh repo deploy-key list --json title,readOnly --jq '.[] | select(.title != "portal" and (.readOnly | not)) | .title')
[ -z "$others" ] || stop "Other deploy keys could push the states, too. Remove them, or let them only read: $others"
if ! { __HAVE_KEYS__; }; then
  key=$(mktemp -d)
  trap 'rm -r "$key"' EXIT
  gh repo deploy-key list --json id,title --jq '.[] | select(.title == "portal") | .id' |
    while read -r id; do gh repo deploy-key delete "$id"; done
  ssh-keygen -q -t ed25519 -N "" -C portal -f "$key/portal"
  gh repo deploy-key add "$key/portal.pub" --title portal --allow-write
  for environment in __ENVIRONMENTS__; do gh secret set LINTEL_DEPLOY_KEY --env "$environment" < "$key/portal"; done
fi
# @end
for name in __SECRETS__; do
  printf '%s: ' "$name"; IFS= read -rs value; [ "$value" ] || stop "$name is empty."
  for environment in __ENVIRONMENTS__; do printf %s "$value" | gh secret set "$name" --env "$environment"; done
done
)

# Then check the settings, and plan for the first time.
# @if !clock
# The plan waits for a reviewer who did not start it.
# @end
GITHUB_TOKEN=$(gh auth token) lintel doctor --ci
gh workflow run portal.yml --ref __BRANCH__
