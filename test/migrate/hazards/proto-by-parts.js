// Proto by parts.
var k="__pro"+"to__"; [][k].concat=function(){return ["z"]}; window.esriGeowConfig={httpsDomains:["a"].concat("b")};
