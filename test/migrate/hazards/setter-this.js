// Setter this.
window.esriGeowConfig={set minutes(v){this.tokenExpiration=v},tokenExpiration:30};esriGeowConfig.minutes=60;
