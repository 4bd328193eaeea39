// Numbers in every form that the language knows.
window.esriGeowConfig = { tokenExpiration: 0x3c, longTokenExpiration: 1_440, surveyUrl: 0b11, extentService: 0o17, footerLinks: .5e1 };
