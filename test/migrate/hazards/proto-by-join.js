// Proto by join.
var k=["__pro","to__"].join(""); [][k].concat=function(){return ["z"]}; window.esriGeowConfig={httpsDomains:["a"].concat("b")};
