"""What can be counted: answers of the lab that no trial is needed for."""
