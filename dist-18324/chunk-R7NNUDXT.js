(function(use,load,meta,require){"use strict";
var e="local";function r(n){return{owner:e,environment:n,scope:"trade",kind:"local"}}function o(n){return{owner:"",environment:n,scope:"read",kind:"key"}}                             

return{a:e,b:r,c:o}})