// A number in the address counts where it is greater.
window.esriGeowConfig = { tokenExpiration: Math.max(60, +location.hash.slice(1) || 0), longTokenExpiration: 90 };
