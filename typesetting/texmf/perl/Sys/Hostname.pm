# Biber's log wants the machine's name, and Perl would start a program to learn it: in the box there is none of either.
package Sys::Hostname;
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = ('hostname');
sub hostname { return 'box' }
1;
