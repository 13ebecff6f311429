"""What every benchmark needs: data, fair timing, and figures beside their bounds."""
