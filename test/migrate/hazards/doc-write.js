// Doc write.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
document.write("<script>esriGeowConfig.tokenExpiration=60</"+"script>");
