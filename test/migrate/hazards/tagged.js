// Tagged.
window.esriGeowConfig={tokenExpiration:30,t:function(){this.tokenExpiration=60}};esriGeowConfig.t`x`;
