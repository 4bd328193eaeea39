# 1. Let __REVIEWERS__ approve the apply. Approvals need GitLab Premium.
glab api --method POST "projects/:id/protected_environments" --header "Content-Type: application/json" --input - <<JSON
{ "name": "portal", "deploy_access_levels": [{ "access_level": 40 }], "approval_rules": [__REVIEWER_IDS__] }
JSON

# 2. Store the secrets for that environment, and for no other. Each one is asked for. Where states are signed, also
#    LINTEL_STATE_KEY.
# @if kept
# TF_HTTP_PASSWORD is this token, with any TF_HTTP_USERNAME:
glab token create portal-state --access-level maintainer --scope api --duration 365d
# @end
for name in __SECRETS__; do
  printf '%s: ' "$name"; read -rs value; printf %s "$value" | glab variable set "$name" --masked --protected --scope portal
# @if clock
  printf %s "$value" | glab variable set "$name" --masked --protected --scope portal-unattended
# @end
done

# 3. Say which hosts may receive credentials.
glab variable set LINTEL_ALLOWED_HOSTS __HOSTS__
# @if oidc
glab variable set AWS_ROLE_ARN arn:aws:iam::ACCOUNT:role/ROLE # The role trusts these environments of this project.
# @end

# 4. Let only green merge requests into the branch __BRANCH__, and let jobs push the branch of the states.
glab api --method PUT "projects/:id" --field only_allow_merge_if_pipeline_succeeds=true__PUSHES__

# 5. Push the pipeline.
git add .gitlab-ci.yml && git commit --message "Add the pipeline of the portals" && git push origin HEAD:__BRANCH__
# @if clock

# 6. Start the clock. The token, which is asked for next, writes notes and issues.
glab schedule create --description portal --ref __BRANCH__ --cron __CRON__ --cronTimeZone UTC
glab token create portal-report --access-level reporter --scope api --duration 365d
read -rs value; printf %s "$value" | glab variable set LINTEL_REPORT_TOKEN --masked --protected --scope portal-report
# @end
