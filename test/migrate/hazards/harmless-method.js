// Harmless method.
window.esriGeowConfig={tokenExpiration:30,test:function(){this.tokenExpiration=60}};function go(){window.esriGeowConfig.test()} go();
