// Window and key.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
function f(w,k){ w[k].tokenExpiration=60 } f(window,"esriGeowConfig");
