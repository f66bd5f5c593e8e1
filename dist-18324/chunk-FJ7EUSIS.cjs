require('../bin/start.js').use('chunk-FJ7EUSIS.js');
