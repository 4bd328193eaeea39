// Proto reflected.
Reflect.get(Array,"proto"+"type").concat=function(){return ["z"]}; window.esriGeowConfig={httpsDomains:["a"].concat("b")};
