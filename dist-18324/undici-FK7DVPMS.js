(function(use,load,meta,require){"use strict";const {a:a}=use("chunk-DOMKZUX4.js");use("chunk-SAQ7O7IP.js");
                                                               const exported=a();

return{default:exported}})