// Typeof undef.
if(typeof esriGeowConfig==="undefined"){esriGeowConfig={tokenExpiration:60};}
esriGeowConfig.longTokenExpiration=90;
