// Filter self.
window.esriGeowConfig={httpsDomains:["a.example"].filter(function x(p){return x})};
