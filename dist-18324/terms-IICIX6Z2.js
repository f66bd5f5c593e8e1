(function(use,load,meta,require){"use strict";const {a:a,b:b,c:c,d:d,e:e,f:f,g:g}=use("chunk-RDG56SNA.js");use("chunk-AFUPYCZE.js");use("chunk-SAQ7O7IP.js");
                                                                                                                                                                                                           

return{bothOf:f,compared:g,fieldNames:b,fields:a,termKey:c,tomlOf:d,wordsOf:e}})