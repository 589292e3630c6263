//! One test binary: linking once is quicker than linking each file.

mod pages;
mod render;
