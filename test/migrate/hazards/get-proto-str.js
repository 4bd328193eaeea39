// Get proto str.
Object.getPrototypeOf("").trim=function(){return "z.example"};window.esriGeowConfig={httpsDomains:[" a ".trim()]};
