(function(use,load,meta,require){"use strict";use("chunk-YY2WGIUL.js");const {c:r}=use("chunk-NJZNRZ66.js");use("chunk-KBEGXUNB.js");use("chunk-SAQ7O7IP.js");
                                                                                                                            function m(t){let i=r(t);return i===void 0||i.tick===null?void 0:+`${i.tick}e-${i.priceDecimals}`}                       

return{knownTick:m}})