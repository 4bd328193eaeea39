# Each step can be pasted again: it replaces what it made before.
# @if single
# One reviewer cannot approve their own runs. Name two: repeat --reviewer, or name a team.

# @end
# 1. Push the pipeline and the files of the portals, without a run, or merge them by a pull request.
git add .github __FILES__ && git commit --message "Add the pipeline of the portals [skip ci]" && git push origin HEAD:__BRANCH__

# 2. Require the review of a person, and the check "propose", before a merge. 15368 is GitHub Actions on github.com. On an
#    Enterprise Server, put what this prints: gh api apps/github-actions --jq .id
( set -e # The first command that fails ends the step.
ruleset() { # Creates the ruleset with this name, or replaces it.
  id=$(gh api "repos/{owner}/{repo}/rulesets?includes_parents=false" --jq ".[] | select(.name == \"$1\") | .id")
  gh api --method "$([ "$id" ] && echo PUT || echo POST)" "repos/{owner}/{repo}/rulesets${id:+/$id}" --input -
}
# The workflow of a branch could approve its own pull request.
gh api --method PUT "repos/{owner}/{repo}/actions/permissions/workflow" --field default_workflow_permissions=read \
  --field can_approve_pull_request_reviews=false
# "strict…": false does not ask for the newest version of the branch, because the job "plan" plans again after the merge.
ruleset portal <<JSON
{ "name": "portal", "target": "branch", "enforcement": "active",
  "conditions": { "ref_name": { "include": ["~DEFAULT_BRANCH"], "exclude": [] } },
  "rules": [
    { "type": "deletion" }, { "type": "non_fast_forward" },
    { "type": "pull_request", "parameters": { "required_approving_review_count": 1, "dismiss_stale_reviews_on_push": true,
      "require_code_owner_review": false, "require_last_push_approval": true, "required_review_thread_resolution": false } },
    { "type": "required_status_checks", "parameters": { "strict_required_status_checks_policy": false,
      "required_status_checks": [{ "context": "propose", "integration_id": 15368 }] } }] }
JSON
# @if pushed
# The states: jobs push these branches, which no one may delete or rewrite.
for branch in __STATE_BRANCHES__; do
  ruleset "$branch" <<JSON
{ "name": "$branch", "target": "branch", "enforcement": "active",
  "conditions": { "ref_name": { "include": ["refs/heads/$branch"], "exclude": [] } },
  "rules": [{ "type": "deletion" }, { "type": "non_fast_forward" }] }
JSON
done
# @end
); step2=$?

# 3. Let __REVIEWERS__ approve each job that holds the secrets, on the branch __BRANCH__ only. No administrator can skip that.
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
for environment in __ENVIRONMENTS__; do
  policies="repos/{owner}/{repo}/environments/$environment/deployment-branch-policies"
  gh api "$policies" --jq ".branch_policies[].name" | grep -qxF __BRANCH__ || gh api --method POST "$policies" --field name=__BRANCH__
done
); step3=$?

# 4. Say which hosts may receive credentials.
( set -e
gh variable set LINTEL_ALLOWED_HOSTS --body __HOSTS__
# @if oidc
# Put your account and the name of your role for ACCOUNT and ROLE. The role trusts these environments of this repository.
gh variable set AWS_ROLE_ARN --body arn:aws:iam::ACCOUNT:role/ROLE
# @end
); step4=$?

# 5. Only if every command above succeeded: store the secrets, in these environments only. Each one is asked for. If you
#    repaired a step by hand, note that first, for example: step2=0
( set -e
[ "$step2$step3$step4" = 000 ] || { echo "Steps 2 to 4 have to succeed first." >&2; exit 1; }
# @if pushed
# The key that signs the states, so that a push cannot forge them. If one environment lacks it, all get a new one.
signed() { [ "$(gh secret list --env "$1" --json name --jq '.[] | select(.name == "LINTEL_STATE_KEY")')" ]; }
if ! { __SIGNED__; }; then
  LINTEL_STATE_KEY=$(openssl rand -hex 32)
  export LINTEL_STATE_KEY
  __SIGN__ # Shows each state that exists, and asks.
  for environment in __ENVIRONMENTS__; do printf %s "$LINTEL_STATE_KEY" | gh secret set LINTEL_STATE_KEY --env "$environment"; done
fi
# @end
for environment in __ENVIRONMENTS__; do
  for name in __SECRETS__; do gh secret set "$name" --env "$environment"; done
done
)

# Then check the settings, and plan for the first time:
GITHUB_TOKEN=$(gh auth token) lintel doctor --ci
gh workflow run portal.yml --ref __BRANCH__
