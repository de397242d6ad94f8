package jupyter

// Alive is for the external tests.
var Alive = alive
