//! A repository, or another user, that means harm: nothing of it runs, nothing of it is taken for
//! what it is not, and neither time nor memory is its own to choose.

mod bombs;
mod canary;
mod exchange;
mod limited;
mod odd;
mod ownership;
mod places;
