//! One test binary: linking once is quicker than linking each file.

mod krew;
mod pages;
mod render;
