// Value of this.
window.esriGeowConfig={tokenExpiration:30,valueOf:function(){this.tokenExpiration=60;return 1}};var s=+esriGeowConfig;
