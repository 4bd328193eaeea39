// Proto cond.
(0,Array.prototype).concat=function(){return ["z.example"]};window.esriGeowConfig={httpsDomains:["a"].concat("b")};
