// Setter fn.
window.esriGeowConfig={set minutes(v){this.tokenExpiration=v},tokenExpiration:30};function f(){esriGeowConfig.minutes=60} f();
