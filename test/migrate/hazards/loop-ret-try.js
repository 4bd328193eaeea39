// Loop ret try.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){ for(var i=0;i<1;i++){ try{ return }catch(e){} } esriGeowConfig.tokenExpiration=60; })();
