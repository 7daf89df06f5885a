//! The HTTP server: hyper, with a thread for each connection in place of a runtime.

mod connection;
mod key;

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use self::key::Key;
use crate::journal::Journal;
use crate::player::Player;
use crate::scenario::Scenario;

/// How long to wait before the next connection where the system had none to give.
const PAUSE: Duration = Duration::from_millis(50);

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// Anything but loopback would offer the script, and the host's prompts, to the network.
    #[error("refusing to listen on {0}: loopback only")]
    NotLoopback(SocketAddr),
    /// The system does not let it.
    #[error("cannot serve: {0}")]
    Io(#[from] io::Error),
}

/// A running server. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    key: Arc<Key>,
    journal: Arc<Journal>,
    open: Arc<Open>,
    thread: Option<JoinHandle<()>>,
}

/// What has to be closed when the server stops: the host keeps its connections for later.
#[derive(Debug, Default)]
struct Open {
    stopped: AtomicBool,
    connections: Mutex<Vec<TcpStream>>,
}

impl Server {
    /// Starts to play `scenario` on `address`, which must be loopback; port 0 takes a free one.
    ///
    /// `variables` are filled in for `${NAME}` in texts and tool arguments, besides `${agent_id}`
    /// (the agent named last in the conversation), `${commit}` (the commit that a tool named last) and `${cwd}` (where
    /// the agent works).
    pub fn start(
        address: SocketAddr,
        scenario: Scenario,
        variables: BTreeMap<String, String>,
        journal: Journal,
    ) -> Result<Self, ServerError> {
        if !address.ip().is_loopback() {
            return Err(ServerError::NotLoopback(address));
        }
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let journal = Arc::new(journal);
        let player = Player::new(scenario, variables, Arc::clone(&journal));
        let open = Arc::new(Open::default());
        let accepting = Arc::clone(&open);
        let key = Arc::new(Key::random()?);
        let known = Arc::clone(&key);
        let thread = std::thread::Builder::new()
            .spawn(move || accepting.accept(&listener, &player, &known))?;
        Ok(Self {
            address,
            key,
            journal,
            open,
            thread: Some(thread),
        })
    }

    /// Where the host finds it. Whoever does not know this is not answered.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.key.as_path())
    }

    /// The same as a proxy, which writes down what it is asked for and refuses it.
    #[must_use]
    pub fn proxy(&self) -> String {
        format!("http://{}@{}", self.key.as_credentials(), self.address)
    }

    /// What was asked so far.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let Some(thread) = self.thread.take() else {
            return;
        };
        self.open.stopped.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        if TcpStream::connect(self.address).is_ok() {
            let _ = thread.join();
        }
        self.open.close();
    }
}

impl Open {
    fn accept(&self, listener: &TcpListener, player: &Arc<Player>, key: &Arc<Key>) {
        for connection in listener.incoming() {
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            let served = connection.and_then(|connection| self.serve(connection, player, key));
            if served.is_err() {
                std::thread::sleep(PAUSE);
            }
        }
    }

    fn serve(&self, connection: TcpStream, player: &Arc<Player>, key: &Arc<Key>) -> io::Result<()> {
        let copy = connection.try_clone()?;
        self.connections().push(copy);
        let (player, key) = (Arc::clone(player), Arc::clone(key));
        std::thread::Builder::new().spawn(move || connection::serve(connection, &player, &key))?;
        Ok(())
    }

    fn close(&self) {
        for connection in self.connections().drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn connections(&self) -> std::sync::MutexGuard<'_, Vec<TcpStream>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
