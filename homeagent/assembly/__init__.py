"""Makes the parts out of the settings; what starts and ends them, in which order, is the app's business."""
