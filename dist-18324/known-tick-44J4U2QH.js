(function(use,load,meta,require){"use strict";use("chunk-7GNMLSFZ.js");use("chunk-B76R5DZG.js");use("chunk-QOBZWUIP.js");use("chunk-VA6MFGRR.js");const {d:r}=use("chunk-MGNB5FHG.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                    
                            function m(t){let i=r(t);return i===void 0||i.tick===null?void 0:+`${i.tick}e-${i.priceDecimals}`}                       

return{knownTick:m}})