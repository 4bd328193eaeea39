// Proxy open idx.
window.esriGeowConfig={surveyUrl:"x"+location.pathname["01"]};
