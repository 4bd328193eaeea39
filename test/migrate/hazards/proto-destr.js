// Proto destr.
var {prototype:P}=Array; P.concat=function(){return ["z.example"]};window.esriGeowConfig={httpsDomains:["a"].concat("b")};
