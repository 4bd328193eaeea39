// Constructor throws.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
new Foo(); function Foo(){ throw 1 } esriGeowConfig.tokenExpiration=60;
