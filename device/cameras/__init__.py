"""Every source of pictures, behind `vision.frame.FrameSource`."""
