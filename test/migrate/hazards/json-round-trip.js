// A copy by way of JSON loses what JSON cannot hold.
window.esriGeowConfig = JSON.parse(
  JSON.stringify({
    tokenExpiration: { toJSON: () => 60 },
    longTokenExpiration: NaN,
    surveyUrl: undefined,
  }),
);
