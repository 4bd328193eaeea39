// What the pages of one portal, rollout, activity, calendar and workers do beside following changes.
