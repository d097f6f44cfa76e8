"""The compiled core: loops over integers in C++, behind the C interface of interface.h."""
