// Get proto arr.
Object.getPrototypeOf([]).concat=function(){return ["z.example"]};window.esriGeowConfig={httpsDomains:["a"].concat("b")};
