// The second name matters only where the first is missing.
window.esriGeowConfig = { longTokenExpiration: 1440 };
if (window.legacy) { esriGeowConfig.showCreateDashboard = !1; } else if (window.analytics) { window.esriGeowConfig.longTokenExpiration = 30; }
