// Zero is a value for one way to give a default, and none for the other.
window.esriGeowConfig = { tokenExpiration: 0, longTokenExpiration: 0 };
esriGeowConfig.tokenExpiration ??= 30;
esriGeowConfig.longTokenExpiration ||= 90;
esriGeowConfig.missing &&= 1;
