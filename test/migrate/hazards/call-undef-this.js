// Call undef this.
window.esriGeowConfig={tokenExpiration:30,longTokenExpiration:90,httpsDomains:["a.example"]};
(function(){var c=this.esriGeowConfig;c.tokenExpiration=60}).call(undefined);
