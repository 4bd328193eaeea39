// Getter this.
window.esriGeowConfig={get a(){this.tokenExpiration=60;return 1},tokenExpiration:30};var z=esriGeowConfig.a;
