// That is this.
window.esriGeowConfig={tokenExpiration:30, get x(){ var that=this; that.tokenExpiration=60; return 1}}; ""+esriGeowConfig.x;
