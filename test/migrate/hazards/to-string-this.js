// To string this.
window.esriGeowConfig={tokenExpiration:30,toString:function(){this.tokenExpiration=60;return ""}};var s=""+esriGeowConfig;
