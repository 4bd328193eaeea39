// Proto in function.
var k=["__pro","to__"].join(""); function f(){ [][k].concat=function(){return ["z"]} } f(); window.esriGeowConfig={httpsDomains:["a"].concat("b")};
